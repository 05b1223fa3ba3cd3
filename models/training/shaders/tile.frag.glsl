// A tile's surface: two-tone body with its joint, pips as bowls, divider, pin, back, grain and dirt. Lengths in widths of the tile.
in vec3 local, local_normal, world;
in float rise;
flat in mat3 turn;
flat in vec4 face;
flat in vec3 colour;
out vec4 shade;
uniform vec3 size;           // length, width, thickness in mm
uniform vec3 body, back_body, back_colour, divider_colour;
uniform vec2 joint;          // place under the face as a share of the thickness, darkness
uniform int logo;
uniform vec3 pip_colours[7];
uniform int pip_masks[7];    // bit 3 * (along + 1) + across + 1
uniform vec4 pip;            // radius, step along, step across, slope at the rim
uniform vec4 bar;            // half width, half length, depth, 1 if painted
uniform float pin;
uniform vec4 skin;           // roughness, grain, wear, stains

struct Material { vec3 albedo, f0; float rough, open, lamp; vec2 tilt; };

float cover(float inside, float pixel) { return clamp(inside / pixel + 0.5, 0.0, 1.0); }

// A bowl at d from its middle: paint, the slope of its wall, the shade of its rim.
void bowl(inout Material m, vec2 d, vec3 paint, float pixel, vec3 light) {
    float r = length(d), R = pip.x, inside = cover(R - r, pixel);
    float clear = clamp(R / pixel - 0.5, 0.0, 1.0);  // a bowl of a pixel or two is a flat spot
    float along = dot(d, light.xy), flatness = max(length(light.xy), 1e-3);
    float way = -along / flatness + sqrt(max(along * along / (flatness * flatness) + R * R - r * r, 0.0));
    float depth = pip.w * (R * R - r * r) / (2.0 * R);
    float sun = smoothstep(-0.02, 0.03, way * light.z / flatness - depth);
    m.albedo = mix(m.albedo, paint, inside);
    m.tilt = mix(m.tilt, -pip.w / R * d * clear, inside);
    m.tilt += 0.5 * d / max(r, 1e-3) * clear * (1.0 - smoothstep(R + 0.004, R + 0.022, r)) * (1.0 - inside);  // the edge, worn round
    m.lamp *= mix(1.0, sun, inside * clear);
    m.open *= 1.0 - 0.35 * inside * clear * min(1.0, pip.w) * (1.0 - r * r / (R * R));
    m.rough = mix(m.rough, max(0.15, 0.75 * m.rough), inside);
}

void pips(inout Material m, vec2 p, float pixel, vec3 light) {
    float side = p.x < 0.0 ? -1.0 : 1.0;
    int number = int(side < 0.0 ? face.x : face.y);
    vec2 q = p - vec2(side * size.x / size.y / 4.0, 0.0);
    vec2 cell = clamp(round(q / abs(pip.yz)), -1.0, 1.0);
    int bit = 3 * (int(cell.x) + 1) + int(cell.y * sign(pip.z)) + 1;
    if ((pip_masks[number] >> bit & 1) == 1) bowl(m, q - cell * abs(pip.yz), pip_colours[number], pixel, light);
}

void divide(inout Material m, vec2 p, float pixel) {
    float inside = cover(bar.x - abs(p.x), pixel) * cover(bar.y - abs(p.y), pixel);
    m.albedo = mix(m.albedo, bar.w > 0.5 ? divider_colour : m.albedo * 0.6, inside);
    m.tilt.x -= bar.z * inside * clamp(p.x / max(bar.x, 1e-3), -1.0, 1.0) * clamp(bar.x / pixel, 0.0, 1.0);
    m.open *= 1.0 - 0.25 * inside;
}

void rivet(inout Material m, vec2 p, float pixel) {
    float inside = cover(pin - length(p), pixel);
    m.albedo = mix(m.albedo, vec3(0.03, 0.08, 0.1), inside);
    m.f0 = mix(m.f0, vec3(0.3, 0.62, 0.8), inside);  // brass
    m.rough = mix(m.rough, 0.3, inside);
    m.tilt = mix(m.tilt, 0.9 * p / pin, inside);
}

void print_logo(inout Material m, vec2 p, float pixel) {
    float ring = cover(0.04 - abs(length(p * vec2(1.6 * size.y / size.x, 1.0)) - 0.3), pixel);
    // the middle has no angle of its own
    float star = cover(abs(sin(3.0 * atan(p.y, p.x + 1e-6))) * 0.25 - length(p), pixel);
    m.albedo = mix(m.albedo, back_colour, max(ring, star));
}

// The pips of a die on the sides of a cube of 1.
vec3 die(vec3 paint, vec3 at) {
    vec3 n = abs(local_normal);
    bool upper = n.z > max(n.x, n.y);
    vec2 q = upper ? at.xy : n.x > n.y ? at.yz : at.xz;
    int number = 1 + int(mod(face.z + (upper ? 0.0 : n.x > n.y ? 1.0 : 2.0) * 2.0, 6.0));
    vec2 cell = clamp(round(q / 0.27), -1.0, 1.0);
    if ((pip_masks[number] >> 3 * (int(cell.x) + 1) + int(cell.y) + 1 & 1) == 0) return paint;
    float inside = cover(0.1 - length(q - cell * 0.27), max(length(fwidth(at)) / 1.7, 1e-4));
    return mix(paint, dot(paint, vec3(0.1, 0.6, 0.3)) > 0.3 ? vec3(0.02) : vec3(0.85), inside);
}

void main() {
    vec2 p = local.xy * vec2(1.0, -1.0) / size.y;  // y as in the layout of the pips: rows downward
    float pixel = max(max(length(dFdx(p)), length(dFdy(p))), 1e-4);
    float under = (size.z / 2.0 - local.z) / size.z, step_ = max(fwidth(under), 1e-4);
    vec3 light = normalize(lamp * turn);
    light.y = -light.y;
    vec2 spot = (local.xy + local.z * vec2(0.7, 0.4)) / 60.0 + face.z * vec2(0.37, 0.61);
    vec4 speck = texture(noise, spot), fine = texture(noise, spot * 2.0);
    Material m = Material(body, vec3(0.04), skin.x, 1.0, 1.0, vec2(0.0));
    bool tile = face.w >= 0.0;
    if (!tile) {
        m.albedo = colour * (1.0 + 0.06 * texture(noise, vec2(world.x + world.y, world.x - world.y + world.z) / 70.0).z);
        m.rough = 0.4;
        if (face.w < -1.5) m.albedo = die(m.albedo, local);
    } else {
        m.albedo = mix(body, back_body, cover(under - joint.x, step_));
        m.albedo *= 1.0 - joint.y * cover(0.02 - abs(under - joint.x), step_);
        m.albedo *= 1.0 + skin.w * speck.z;
        m.albedo *= 1.0 - skin.z * clamp(abs(fine.z) - 1.3, 0.0, 1.0);
        m.tilt = skin.y * fine.xy;
        m.rough = clamp(m.rough + 0.05 * speck.z, 0.08, 1.0);
        if (local_normal.z > 0.6) {
            if (bar.x > 0.0) divide(m, p, pixel);
            pips(m, p, pixel, light);
            if (pin > 0.0) rivet(m, p, pixel);
        } else if (local_normal.z < -0.6 && logo == 1) {
            print_logo(m, p, pixel);
        }
    }
    vec3 n = normalize(turn * normalize(normalize(local_normal) + vec3(m.tilt.x, -m.tilt.y, 0.0)));
    float gloss_of_bends = 0.3 * length(dFdx(n)) + 0.3 * length(dFdy(n));  // a bend within a pixel glints wide and weak
    m.rough = clamp(m.rough + gloss_of_bends, 0.08, 1.0);
    vec3 around = plan_at(world.xy + n.xy * 2.0);
    float foot = 1.0 - 0.75 * around.r * (1.0 - smoothstep(0.0, 14.0, world.z)) * (1.0 - max(n.z, 0.0));
    float open = m.open * foot * (1.0 - 0.5 * around.g);
    float sun = m.lamp * (1.0 - around.b) * lit(world, normalize(turn * local_normal));
    shade = vec4(shaded(world, n, m.albedo, m.rough, m.f0, sun, open), 1.0);
}
