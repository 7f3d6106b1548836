import { Client } from 'pg';
import { outsideOfCage } from '../../base/cage.ts';

/** A connection that belongs to the store, even when it is opened during the call of a plugin's tool. */
export class StoreClient extends Client {
  override connect = ((...given: Parameters<Client['connect']> | []) =>
    outsideOfCage(() => Reflect.apply(Client.prototype.connect, this, given))) as Client['connect'];
}
