/**
 * Short-lived tokens for clients that speak HTTP: {@link corfu.pki.tokens.TokenIssuer} signs them,
 * and {@link corfu.pki.tokens.TokenVerifier} checks them with public keys alone. {@link
 * corfu.pki.tokens.FollowingVerifier} does so with the newest keys of a file.
 */
@NullMarked
package corfu.pki.tokens;

import org.jspecify.annotations.NullMarked;
