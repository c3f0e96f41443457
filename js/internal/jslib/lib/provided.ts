// What keeps a library to the members that are listed for it: an object or an
// instance inherits from a proxy that only a miss reaches, so that what exists is
// found as fast as on any other object.

// asked are names that the language itself asks objects for.
const asked = ["then", "toJSON", "nodeType", "default", "__esModule", "__proto__", "constructor"];

function guard(module: string, base: object | null, applies: (receiver: any) => boolean): object {
  return new Proxy(Object.create(base), {
    get(target: any, name: string | symbol, receiver: any) {
      if (typeof name === "symbol" || name in target || asked.includes(name) || !applies(receiver)) {
        return Reflect.get(target, name, receiver);
      }
      throw new TypeError(`${name} is not provided by jsload's ${module}`);
    },
  });
}

const always = (): boolean => true;

/** Makes members the whole of a module: any other name throws when it is read. */
export function provided<T extends object>(module: string, members: T): T {
  return Object.setPrototypeOf(members, guard(module, Object.prototype, always));
}

/**
 * Makes the members of a class, with the fields given, the whole of its instances.
 * Those of classes derived from it may have members of their own.
 */
export function closed<C extends { prototype: any }>(module: string, kind: C): C {
  const proto = kind.prototype;
  const own = (receiver: any): boolean => Object.getPrototypeOf(receiver) === proto;
  Object.setPrototypeOf(proto, guard(module, Object.getPrototypeOf(proto), own));
  return kind;
}
