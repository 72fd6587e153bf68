package corfu.pki;

import java.security.PublicKey;

/**
 * The public key of a request (PKCS #10) whose author has proven that it holds the private key. The
 * names in the request are ignored: the authority's operator chooses them.
 */
public record SigningRequest(PublicKey key) {}
