import { Client } from 'pg';
import { outsideOfCage } from '../../base/cage.ts';

/** A connection of the store's own, even when what a plugin's tool does is the reason that one is opened. */
export class StoreClient extends Client {
  override connect = ((...given: Parameters<Client['connect']> | []) =>
    outsideOfCage(() => Reflect.apply(Client.prototype.connect, this, given))) as Client['connect'];
}
