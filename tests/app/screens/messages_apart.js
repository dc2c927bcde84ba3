// Gives the page each message of the server in a frame of its own, as a busy server sends them: what stands for a frame only can then be seen.
(() => {
  const { addEventListener } = WebSocket.prototype;
  const waiting = [];
  setInterval(() => waiting.shift()?.(), 30);
  const later = (hear) => (event) => waiting.push(() => hear(event));
  window.WebSocket = class extends WebSocket {
    set onmessage(hear) {
      addEventListener.call(this, "message", later(hear));
    }
    addEventListener(kind, hear, ...rest) {
      addEventListener.call(this, kind, kind === "message" ? later(hear) : hear, ...rest);
    }
  };
})();
