const empty = () => ({ lines: [] });

function add(cart, item, count) {
  const line = cart.lines.find((l) => l.id === item.id);
  if (line) {
    line.count += count;
  } else {
    cart.lines.push({ id: item.id, name: item.name, count });
  }
}

const total = (cart) => cart.lines.reduce((sum, { id, count }) => sum + (id + 1) * count, 0);

export const Cart = { empty, add, total };
