/**
 * Puts values where a template names them, `{name}`, in one pass: what is filled in is not looked at again, and
 * a name without a value stays as it is.
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
