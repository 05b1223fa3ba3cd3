// A tile: its mesh (millimetres, face toward +z, half 0 toward -x) laid or stood by its own axes.
in vec3 in_position, in_normal;
in vec3 in_along, in_across, in_facing, in_centre;
in vec4 in_face;    // half 0, half 1, seed, number in the picture (-1: no tile)
in vec3 in_colour;  // of what is no tile
out vec3 local, local_normal, world;
out float rise;     // z of the normal
flat out mat3 turn; // takes normals to the table's frame
flat out vec4 face;
flat out vec3 colour;

void main() {
    mat3 axes_ = mat3(in_along, in_across, in_facing);
    turn = mat3(cross(in_across, in_facing), cross(in_facing, in_along), cross(in_along, in_across));
    local = in_position;
    local_normal = in_normal;
    world = in_centre + axes_ * in_position;
    rise = normalize(turn * in_normal).z;
    face = in_face;
    colour = in_colour;
    gl_Position = place(world);
}
