// Where a point of the scene (millimetres) falls: in the picture through the scene's lens, or in the map of shadows.
#ifdef SHADOW
uniform vec4 plan_box;    // mm: left, bottom, width, height of the part of the table that the map shows
uniform vec2 lamp_slope;  // how far a shadow runs per millimetre of height
const float TALLEST_MM = 250.0;

vec4 place(vec3 p) {
    // Along the light onto the table; what is higher is nearer to the lamp.
    vec2 at = (p.xy - lamp_slope * p.z - plan_box.xy) / plan_box.zw;
    return vec4(at * 2.0 - 1.0, 1.0 - 2.0 * p.z / TALLEST_MM, 1.0);
}
#else
uniform mat3 axes;         // right, up, toward the camera
uniform vec3 centre;       // the point looked at
uniform vec4 lens;         // focal length (px), distance (mm), k1, stretch
uniform vec2 picture;      // width, height

vec4 place(vec3 p) {
    vec3 rel = (p - centre) * axes;
    float depth = lens.y - rel.z;
    vec2 ray = vec2(rel.x, -rel.y) / depth;
    float r2 = dot(ray, ray);
    if (lens.z < 0.0) r2 = min(r2, -1.0 / (3.0 * lens.z));  // beyond it the lens model would fold back into the picture
    vec2 px = ray * lens.x * (1.0 + lens.z * r2) * vec2(lens.w, 1.0) + picture / 2.0;
    vec2 ndc = (px + 0.5) / picture * 2.0 - 1.0;  // a whole number of pixels is the middle of a pixel; rows run downward
    float near = 0.15 * lens.y, far = 6.0 * lens.y;
    return vec4(ndc * depth, (far + near) / (far - near) * depth - 2.0 * far * near / (far - near), depth);
}
#endif
