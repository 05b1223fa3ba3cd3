// The connection to the broker: one table's topics in; out only what a page says to the table.

const LEAVES = ["status", "state", "alerts", "event", "health"];

/**
 * Hear topics of a broker for ever. `hear(topic, message, retained)` gets each message as parsed JSON, null where a topic was
 * emptied; `link(up)` each change of the connection, with the error if it was refused. A broker that is not there yet, or goes
 * away, is tried again every two seconds. `login`: username and password. Gives `say(topic, message)` and `end()`.
 */
export function listenTo(wsUrl, topics, hear, link, login = {}) {
  const client = window.mqtt.connect(wsUrl, {
    protocolVersion: 4,
    clean: true,
    keepalive: 10,
    reconnectPeriod: 2000,
    connectTimeout: 8000,
    queueQoSZero: false, // what was not said in time is said again by whoever waits for the answer, not by the network
    ...login,
    timerVariant: "native", // its other kind wants a worker, which the page's security policy forbids
  });
  client.on("connect", () => client.subscribe(topics, { qos: 1 }, (error) => link(!error)));
  client.on("close", () => link(false));
  client.on("error", (error) => link(false, error));
  client.on("message", (topic, payload, packet) => {
    const message = payload.length ? parsed(payload) : null;
    if (message !== undefined) hear(topic, message, packet.retain);
  });
  return { say: (topic, message) => client.publish(topic, JSON.stringify(message), { qos: 0 }), end: () => client.end(true) };
}

/** Follow one table, by the leaves of its topics. `more`: further leaves to hear. */
export function follow(config, hear, link, { more = [], login = config.login } = {}) {
  const root = `miron/v1/${config.event}/table/${config.table}/`;
  const topics = [...LEAVES, ...more].map((leaf) => root + leaf);
  const named = (topic, message, retained) => hear(topic.slice(root.length), message, retained);
  const feed = listenTo(config.ws_url, topics, named, link, login);
  return { ...feed, say: (leaf, message) => feed.say(root + leaf, message) };
}

function parsed(payload) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    return undefined; // not ours: the next message may be
  }
}
