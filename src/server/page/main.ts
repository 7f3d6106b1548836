import { Chat } from './chat.ts';
import { Composer } from './composer.ts';
import { Documents } from './documents.ts';
import { HistoryList } from './history-list.ts';
import { Page } from './page.ts';
import { followLinks } from './places.ts';
import { Schedule } from './schedule.ts';
import { DevicesRoom, MemoryRoom, SettingsRoom } from './small-rooms.ts';
import { applyTheme } from './theme.ts';
import { Today } from './today.ts';
import { TurnView } from './turn-view.ts';
import { language } from './words.ts';

const ELEMENTS = {
  'wooster-turn': TurnView,
  'wooster-composer': Composer,
  'wooster-history': HistoryList,
  'wooster-today': Today,
  'wooster-chat': Chat,
  'wooster-schedule': Schedule,
  'wooster-documents': Documents,
  'wooster-memory': MemoryRoom,
  'wooster-devices': DevicesRoom,
  'wooster-settings': SettingsRoom,
  'wooster-page': Page,
} as const;

document.documentElement.lang = language;
applyTheme();
followLinks();
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
