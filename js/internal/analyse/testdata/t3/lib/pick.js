export default function pick(list) {
    return list[Math.floor(Math.random() * list.length)];
}

export const chance = (p) => Math.random() < p;
