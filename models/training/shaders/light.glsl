// The light of a scene. Colours are linear BGR; a white surface under `key` and `fill` alone has the radiance of their sum.
uniform vec3 eye;
uniform vec3 lamp;            // unit vector toward the key light
uniform vec3 key, fill;       // irradiance from the lamp head on, from the room
uniform vec3 bounce;          // what the table sends back up
uniform vec3 panel_at[2];     // bright rectangles that are mirrored: window, ceiling lamp
uniform vec4 panel_shape[2];  // cosine and sine of the angle, half sides
uniform vec3 panel_light[2];
uniform vec4 plan_box;
uniform vec2 lamp_slope;
uniform float softness;       // blur of a tile's shadow, mm
uniform vec4 pool;            // uneven light: middle (mm), 1 / spread, strength
uniform vec3 slope;           // uneven light: gradient per mm, smallest share
uniform sampler2D shadow_heights;
uniform sampler2DShadow shadow_map;
uniform sampler2D plan;       // r: near a tile's foot, g: under an arm, b: shade of things outside the picture
uniform sampler2D noise;      // xy: slope, z: height, tiling
const float PI = 3.14159265, TALLEST_MM = 250.0;
const float BRIGHTEST = 1000.0;  // the picture's half floats end at 65504, and what is infinite has no mean
const int TAPS = 12;

float dither() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }

vec2 disc(int k, int n, float turn) {
    float r = sqrt((float(k) + 0.5) / float(n)), a = float(k) * 2.39996323 + turn;
    return r * vec2(cos(a), sin(a));
}

// Share of the lamp that a point sees; shadows are the softer, the higher what casts them.
float lit(vec3 p, vec3 n) {
    p += n * 0.5;
    vec2 at = p.xy - lamp_slope * p.z;
    float turn = dither() * 6.2831853, above = 0.0, found = 0.0;
    for (int k = 0; k < 8; k++) {
        float reach = k % 2 == 0 ? 0.6 * softness + 1.0 : 3.0 * softness + 2.0;
        vec2 uv = (at + disc(k, 8, turn) * reach - plan_box.xy) / plan_box.zw;
        float height = (1.0 - textureLod(shadow_heights, uv, 0.0).x) * TALLEST_MM - p.z;
        if (height > 0.6) { above += height; found += 1.0; }
    }
    if (found == 0.0) return 1.0;
    float blur = clamp(softness * above / found / 20.0, 0.3, 40.0), sum = 0.0;
    float level = 1.0 - (p.z + 0.6) / TALLEST_MM;
    for (int k = 0; k < TAPS; k++) {
        vec2 uv = (at + disc(k, TAPS, turn) * blur - plan_box.xy) / plan_box.zw;
        sum += texture(shadow_map, vec3(uv, level));
    }
    return sum / float(TAPS);
}

vec3 plan_at(vec2 p) { return textureLod(plan, (p - plan_box.xy) / plan_box.zw, 0.0).rgb; }

float uneven(vec2 p) {
    float around = dot((p - pool.xy) * pool.z, (p - pool.xy) * pool.z);
    return max(0.1, (1.0 + dot(slope.xy, p)) * mix(1.0, 0.5 + 0.8 * exp(-0.5 * around), pool.w));
}

float fresnel(float f0, float c) { return f0 + (1.0 - f0) * pow(max(1.0 - c, 0.0), 5.0); }

// What is mirrored in direction r seen from p: the room, and the bright rectangles blurred by the roughness.
vec3 mirrored(vec3 p, vec3 r, float rough) {
    vec3 sum = fill * (0.35 + 0.4 * r.z);
    if (r.z < 0.05) return sum;
    for (int k = 0; k < 2; k++) {
        float rise = panel_at[k].z - p.z;
        vec2 d = p.xy + r.xy / r.z * rise - panel_at[k].xy;
        vec4 s = panel_shape[k];
        d = abs(vec2(d.x * s.x + d.y * s.y, -d.x * s.y + d.y * s.x));
        float soft = (0.02 + 1.3 * rough * rough) * rise;
        vec2 inside = (1.0 - smoothstep(s.zw - soft, s.zw + soft, d)) * s.zw / (s.zw + 0.7 * soft);
        sum += panel_light[k] * inside.x * inside.y;
    }
    return sum;
}

// The radiance toward the eye of a surface: Lambert and GGX under the lamp, the room, and the mirrored rectangles.
vec3 shaded(vec3 p, vec3 n, vec3 albedo, float rough, vec3 f0, float lamp_share, float open) {
    vec3 v = normalize(eye - p), h = normalize(lamp + v);
    float nv = max(dot(n, v), 0.02), nl = max(dot(n, lamp), 0.0), nh = max(dot(n, h), 0.0);
    float a = max(rough * rough, 0.02) + 0.01 * softness, a2 = a * a;
    float d = a2 / (PI * pow(nh * nh * (a2 - 1.0) + 1.0, 2.0));
    float k = a / 2.0, visible = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    float f = fresnel(0.0, max(dot(v, h), 0.0)), fv = pow(max(1.0 - nv, 0.0), 5.0) * (1.0 - 0.8 * rough);
    vec3 direct = key * nl * lamp_share;
    vec3 room = fill * open * (0.8 + 0.2 * n.z) + bounce * (0.5 - 0.5 * n.z) * open;
    vec3 out_ = albedo * (direct + room);
    out_ += direct * PI * d * visible * (f0 + (1.0 - f0) * f);
    out_ += mirrored(p, reflect(-v, n), rough) * (f0 + (1.0 - f0) * fv) * open * (1.0 - 0.6 * rough);
    return clamp(out_ * uneven(p.xy), 0.0, BRIGHTEST);
}
