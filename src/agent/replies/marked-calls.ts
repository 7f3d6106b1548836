import { looseJson } from '../../base/loose-json.ts';
import { pattern } from '../../base/pattern.ts';
import { inputOf, type WrittenCall } from './call-shapes.ts';

/** Calls in tags that carry the name, taken out of a text. */
export interface Marked {
  readonly calls: readonly WrittenCall[];
  readonly rest: string;
}

/** `<function=NAME>…</function>`, `<invoke name="NAME">…</invoke>` and the like. */
const NAMED_TAG = pattern(
  'giu',
  String.raw`<(function|invoke|tool|call|tool_call|action)(?:=|\s+name\s*=\s*)["']?`,
  String.raw`([\w.-]+)["']?\s*>((?:(?!</\1>|<\1[=\s]|</tool_call>)[\s\S]){0,20000})`,
  String.raw`(?:</\1>|</tool_call>)?`,
);
const PARAMETER = pattern(
  'giu',
  String.raw`<(?:parameter|param|arg)(?:=|\s+name\s*=\s*)["']?([\w.-]+)["']?\s*>\n?`,
  String.raw`([\s\S]{0,20000}?)\n?</(?:parameter|param|arg)>`,
);
const OPENED_PARAMETER = /<(?:parameter|param|arg)[=\s]/iu;
/** `<name>write_note</name><arguments>{…}</arguments>` inside a call's tag. */
const NAME_AND_INPUT = pattern(
  'giu',
  String.raw`<(?:tool_name|name|tool)>\s*([\w.-]+)\s*</(?:tool_name|name|tool)>\s*<`,
  String.raw`(arguments|args|input|parameters|tool_input|params)>([\s\S]{0,20000}?)</\2>`,
);
/** gpt-oss: `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`. */
const HARMONY = pattern(
  'gu',
  String.raw`(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>)?\s*(?:commentary|analysis)?\s*to=`,
  String.raw`([\w.-]+)[^{<]{0,40}(?:<\|[^|]{1,20}\|>[^{<]{0,20}){0,4}(\{[\s\S]{0,20000}?\})\s*`,
  String.raw`(?:<\|call\|>|<\|end\|>|$)`,
);
/** Mistral: `[TOOL_CALLS]NAME[ARGS]{…}`; DeepSeek: `function<｜tool▁sep｜>NAME` and a fence with the input. */
const MISTRAL = /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\s*(?:\[ARGS\])?\s*(\{[\s\S]{0,20000}\})\s*$/gu;
const DEEPSEEK = pattern(
  'gu',
  '(?:<｜[^｜]{1,30}｜>\\s*)*(?:function)?\\s*<｜tool▁sep｜>\\s*([\\w.-]+)\\s*(?:```',
  '(?:json)?\\s*)?(\\{[\\s\\S]{0,20000}?\\})\\s*(?:```)?\\s*(?:<｜[^｜]{1,30}｜>\\s*)*',
);

/** Tags around calls, and the special tokens of chat templates, which say nothing by themselves. */
const AROUND = pattern(
  'giu',
  '</?(?:tool_calls?|function_calls?|functioncall|toolcall|tools?|tool_code',
  String.raw`|tool_use|tool_request|function|action|json|xml|call|antml:function_calls)\s*/?>`,
  String.raw`|<\|[^|>\n]{1,40}\|>|<｜[^｜>\n]{1,40}｜>|\[/?TOOL_CALLS?\]|\[/?TOOL_REQUEST\]`,
  String.raw`|\[END_TOOL_REQUEST\]|\bfunctools(?=\s*\[)`,
);

/** Take the calls out whose name stands in a tag or beside a special token, and the tags around all others. */
export function markedCalls(text: string): Marked {
  const calls: WrittenCall[] = [];
  const take = (name: string, input: unknown) => {
    calls.push({ name, input, certain: true });
    return '\n';
  };
  const json = (_all: string, name: string, body: string) => take(name, inputOf(body));
  const rest = text
    .replace(HARMONY, json)
    .replace(DEEPSEEK, json)
    .replace(MISTRAL, json)
    .replace(NAMED_TAG, (_all, _tag, name: string, body: string) => take(name, bodyOf(body)))
    .replace(NAME_AND_INPUT, (_all, name: string, _tag, body: string) => take(name, inputOf(body)))
    .replace(AROUND, '\n');
  return { calls, rest: rest.trim() };
}

/** The inside of a tag: parameters in tags of their own, or JSON. It stays as it is where a parameter breaks off. */
function bodyOf(body: string): unknown {
  const parameters = [...body.matchAll(PARAMETER)];
  if (OPENED_PARAMETER.test(body.replace(PARAMETER, ''))) return body;
  if (parameters.length === 0) return inputOf(body);
  return Object.fromEntries(parameters.map(([, name = '', value = '']) => [name, parameterValue(value)]));
}

/** Text stays text, also `42` and `None`: the tool knows what it takes. */
function parameterValue(text: string): unknown {
  return /^\s*[[{]/u.test(text) ? (looseJson(text) ?? text) : text;
}
