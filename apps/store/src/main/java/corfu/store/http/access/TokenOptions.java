package corfu.store.http.access;

import java.nio.file.Path;

/**
 * The tokens that a server accepts instead of a client's certificate.
 *
 * @param keys the public keys of the issuer, {@code token-keys.pem} of {@code corfu cert}; the file
 *     is read again when it changes
 * @param trustDomain the trust domain of the issuer
 * @param audience the audience that tokens must name; {@code corfu token} names the trust domain
 */
public record TokenOptions(Path keys, String trustDomain, String audience) {}
