// A capsule from a to b with two radii: parts of arms and hands.
in vec4 in_shape;      // share of the way, along the axis, across it (2)
in vec4 in_a, in_b;    // end and its radius, mm
in vec4 in_skin;       // colour, kind: 0 skin, 1 cloth, 2 metal
out vec3 world, normal;
out float rise;
flat out vec4 skin_;
flat out vec4 face;

void main() {
    vec3 axis = normalize(in_b.xyz - in_a.xyz);
    vec3 side = normalize(cross(axis, vec3(0.0, 0.0, 1.0)) + vec3(1e-5, 0.0, 0.0)), up = cross(side, axis);
    normal = axis * in_shape.y + side * in_shape.z + up * in_shape.w;
    world = mix(in_a.xyz, in_b.xyz, in_shape.x) + normal * mix(in_a.w, in_b.w, in_shape.x);
    rise = 0.0;
    face = vec4(0.0, 0.0, 0.0, -1.0);
    skin_ = in_skin;
    gl_Position = place(world);
}
