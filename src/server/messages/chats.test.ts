import { needs } from '../../testing/needs.ts';
import { discordPhone, mailPhone, signalPhone, telegramPhone } from '../../testing/phones.ts';
import { chatContract } from './chat.contract.ts';

chatContract('Telegram', telegramPhone);
chatContract('Discord', discordPhone);
chatContract('Signal', signalPhone);
if (needs('dovecot', 'openssl')) chatContract('email', mailPhone);
