// Certificates.

declare module "k6/crypto/x509" {
  export interface Name {
    commonName: string;
    country: string;
    postalCode: string;
    stateOrProvinceName: string;
    localityName: string;
    streetAddress: string;
    organizationName: string;
    organizationalUnitName: string[];
    names: { type: string; value: string }[];
  }

  export interface Certificate {
    subject: Name;
    issuer: Omit<Name, "postalCode" | "streetAddress" | "organizationalUnitName">;
    notBefore: string;
    notAfter: string;
    altNames: string[];
    signatureAlgorithm: string;
    fingerPrint: number[];
    publicKey: { algorithm: string; key: { [member: string]: unknown } };
  }

  export function parse(pem: string): Certificate;
  export function getAltNames(pem: string): string[];
  export function getIssuer(pem: string): Certificate["issuer"];
  export function getSubject(pem: string): Name;

  const x509: { parse: typeof parse; getAltNames: typeof getAltNames; getIssuer: typeof getIssuer; getSubject: typeof getSubject };
  export default x509;
}

declare module "jsload/crypto/x509" {
  export * from "k6/crypto/x509";
  export { default } from "k6/crypto/x509";
}
