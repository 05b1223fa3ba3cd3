// Which tile's upper face a pixel shows: its number, or -1 for anything else.
in float rise;
flat in vec4 face;
out float number;

void main() { number = rise > 0.05 ? max(face.w, -1.0) : -1.0; }
