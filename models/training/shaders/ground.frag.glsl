// The table: its colour is painted per pixel, here it is lit.
out vec4 shade;
uniform sampler2D ground;   // BGR
uniform sampler2D ground_at;  // mm
uniform vec3 polish;        // roughness, reflectance, bumps

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 p = vec3(texelFetch(ground_at, at, 0).xy, 0.0), albedo = texelFetch(ground, at, 0).rgb;
    vec3 around = plan_at(p.xy);
    vec3 n = normalize(vec3(polish.z * textureLod(noise, p.xy / 150.0, 1.0).xy, 1.0));
    float open = (1.0 - 0.6 * around.r) * (1.0 - 0.5 * around.g);
    float sun = (1.0 - around.b) * lit(p, vec3(0.0, 0.0, 1.0));
    shade = vec4(shaded(p, n, albedo, polish.x, vec3(polish.y), sun, open), 1.0);
}
