// The connection to the broker: one table's topics in; out only what a page says to the table.

const LEAVES = ["status", "state", "alerts", "event"];

/**
 * Follow a table for ever. `hear(leaf, payload, retained)` gets each message as parsed JSON, `link(up)` each change of the
 * connection, with the error if it was refused. A broker that is not there yet, or goes away, is tried again every two seconds.
 * `more`: further topics to hear; `login`: username and password. Gives `say(leaf, message)` and `end()`.
 */
export function follow(config, hear, link, { more = [], login = {} } = {}) {
  const root = `miron/v1/${config.event}/table/${config.table}/`;
  const client = window.mqtt.connect(config.ws_url, {
    protocolVersion: 4,
    clean: true,
    keepalive: 10,
    reconnectPeriod: 2000,
    connectTimeout: 8000,
    queueQoSZero: false, // what was not said in time is said again by whoever waits for the answer, not by the network
    ...login,
    timerVariant: "native", // its other kind wants a worker, which the page's security policy forbids
  });
  client.on("connect", () => {
    client.subscribe([...LEAVES, ...more].map((leaf) => root + leaf), { qos: 1 }, (error) => link(!error));
  });
  client.on("close", () => link(false));
  client.on("error", (error) => link(false, error));
  client.on("message", (topic, payload, packet) => {
    const message = parsed(payload);
    if (message !== undefined) hear(topic.slice(root.length), message, packet.retain);
  });
  return {
    say: (leaf, message) => client.publish(root + leaf, JSON.stringify(message), { qos: 0 }),
    end: () => client.end(true),
  };
}

function parsed(payload) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    return undefined; // not ours: the next message may be
  }
}
