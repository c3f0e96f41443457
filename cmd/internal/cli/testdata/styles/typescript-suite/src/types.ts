export enum Role { Reader = 'reader', Writer = 'writer' }
export interface User { name: string; role?: string }
export namespace Limits { export const max = 10; }
