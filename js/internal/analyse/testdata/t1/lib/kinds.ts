export type Kind = 'mobile' | 'desktop' | 'kiosk';

export const KINDS: readonly Kind[] = ['mobile', 'desktop', 'kiosk'] as const;
