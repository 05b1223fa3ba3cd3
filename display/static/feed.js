// The connection to the broker: one table's topics in, never anything out.

const LEAVES = ["status", "state", "alerts", "event"];

/**
 * Follow a table for ever. `hear(leaf, payload, retained)` gets each message as parsed JSON, `link(up)` each change of the
 * connection. A broker that is not there yet, or goes away, is tried again every two seconds.
 */
export function follow(config, hear, link) {
  const root = `miron/v1/${config.event}/table/${config.table}/`;
  const client = window.mqtt.connect(config.ws_url, {
    protocolVersion: 4,
    clean: true,
    keepalive: 10,
    reconnectPeriod: 2000,
    connectTimeout: 8000,
    timerVariant: "native", // its other kind wants a worker, which the page's security policy forbids
  });
  client.on("connect", () => {
    client.subscribe(LEAVES.map((leaf) => root + leaf), { qos: 1 }, (error) => link(!error));
  });
  client.on("close", () => link(false));
  client.on("error", () => link(false));
  client.on("message", (topic, payload, packet) => {
    const message = parsed(payload);
    if (message !== undefined) hear(topic.slice(root.length), message, packet.retain);
  });
}

function parsed(payload) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    return undefined; // not ours: the next message may be
  }
}
