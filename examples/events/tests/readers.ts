import { type App, provideStores } from "@fw/fw";
import { memoryChannels } from "@fw/fw/addon";

/** Counts the pages that follow a channel, by replacing the application's channels. */
export function countReaders(app: App): () => number {
  const channels = memoryChannels();
  let count = 0;
  const watch: typeof channels.watch = (channel, wake) => {
    const stop = channels.watch(channel, wake);
    count++;
    return () => {
      count--;
      stop();
    };
  };
  provideStores(app, { channels: { ...channels, watch } });
  return () => count;
}
