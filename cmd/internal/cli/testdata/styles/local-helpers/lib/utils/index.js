export function randomIntBetween(min, max) { return Math.floor(Math.random() * (max - min + 1) + min); }
export function randomItem(list) { return list[Math.floor(Math.random() * list.length)]; }
export function uuidv4() {
  return 'nnnnnnnn-nnnn-4nnn-ynnn-nnnnnnnnnnnn'.replace(/[ny]/g, (c) => {
    const r = (Math.random() * 16) | 0;
    return (c === 'n' ? r : (r & 0x3) | 0x8).toString(16);
  });
}
export function findBetween(content, left, right) {
  const start = content.indexOf(left);
  if (start < 0) return '';
  const end = content.indexOf(right, start + left.length);
  return end < 0 ? '' : content.substring(start + left.length, end);
}
