// Only the height counts.
void main() {}
