/**
 * Runs `npm:@copilotkit/aimock` apart from the tests: it keeps an interval after its end, and its end waits
 * for connections that a client keeps open.
 */
/// <reference lib="deno.worker" />
import { type ChaosConfig, type Fixture, LLMock } from "npm:@copilotkit/aimock@1.43.0";

export interface MockPlan {
  readonly fixtures: Fixture[];
  readonly chaos?: ChaosConfig;
}

self.onmessage = async ({ data }: MessageEvent<MockPlan>): Promise<void> => {
  const mock = new LLMock({ port: 0, logLevel: "silent", chunkSize: 7 });
  mock.addFixtures(data.fixtures);
  if (data.chaos !== undefined) mock.setChaos(data.chaos);
  await mock.start();
  self.postMessage(mock.url);
};
