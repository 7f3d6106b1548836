import { webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { discord } from './discord.ts';

channelContract(discord, async () => {
  let status = 200;
  const server = await webServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '42' })),
  );
  const arrived = () => server.received.map(({ body }) => String(JSON.parse(body).content));
  return {
    options: { discordWebhookUrl: `${server.origin}/api/webhooks/1/secret-token` },
    arrived: () => (status === 200 ? arrived() : []),
    fail: () => {
      status = 500;
    },
  };
});
