import { createInterface } from 'node:readline';

createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' }).prompt();
