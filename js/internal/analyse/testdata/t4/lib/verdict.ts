export enum Verdict {
  Good,
  Moved,
  Bad,
}

export function judge(status: number): Verdict {
  if (status < 300) return Verdict.Good;
  return status < 400 ? Verdict.Moved : Verdict.Bad;
}
