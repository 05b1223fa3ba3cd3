// Skin, sleeve or metal of an arm.
in vec3 world, normal;
in float rise;
flat in vec4 skin_;
flat in vec4 face;
out vec4 shade;

void main() {
    bool cloth = skin_.w == 1.0, metal = skin_.w == 2.0;
    vec3 speck = texture(noise, world.xy / (cloth ? 160.0 : 50.0)).xyz;
    vec3 n = normalize(normalize(normal) + vec3((cloth ? 0.35 : 0.06) * speck.xy, 0.0));
    vec3 albedo = skin_.rgb * (1.0 + (cloth ? 0.12 : 0.06) * speck.z);
    if (!cloth && !metal) albedo *= mix(vec3(0.85, 0.9, 1.0), vec3(1.0), clamp(n.z, 0.0, 1.0));  // light comes back redder at the rim
    float open = mix(0.55, 1.0, clamp(world.z / 50.0 + 0.3 * n.z, 0.0, 1.0));
    vec3 f0 = metal ? vec3(0.35, 0.5, 0.55) : vec3(cloth ? 0.02 : 0.03);
    float sun = (1.0 - plan_at(world.xy).b) * lit(world + normal, normalize(normal));
    shade = vec4(shaded(world, n, albedo, metal ? 0.3 : cloth ? 0.9 : 0.55, f0, sun, open), 1.0);
}
