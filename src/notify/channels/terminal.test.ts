import { channelContract } from '../channel.contract.ts';
import { terminal } from './terminal.ts';

channelContract(terminal, async () => {
  const printed: string[] = [];
  let broken = false;
  return {
    options: {},
    arrived: () => printed,
    fail: () => {
      broken = true;
    },
    print: (text) => {
      if (broken) throw new Error('the terminal is gone');
      printed.push(text);
    },
  };
});
