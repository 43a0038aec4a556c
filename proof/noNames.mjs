import { createSocket } from "node:dgram";

const NO_SUCH_NAME = [0x81, 0x83];

/** A name server on loopback that knows no name. Without the rights for its port there is none. */
export async function startNoNames() {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    if (query.length > 3)
      socket.send(Buffer.from([...query.subarray(0, 2), ...NO_SUCH_NAME, ...query.subarray(4)]), port, address);
  });
  await new Promise((resolve) => {
    socket.once("error", resolve);
    socket.bind(53, "127.0.0.1", resolve);
  });
  socket.unref();
}
