package corfu.pki.tokens;

import corfu.pki.SpiffeId;
import java.time.Instant;

/**
 * The content of a token that has been checked.
 *
 * @param subject the identity of the token's bearer
 * @param issuer the trust domain of the authority that has issued it
 * @param audience the cluster or service for which it was issued
 * @param issuedAt the second at which it was issued
 * @param expiresAt the second from which on it is not valid
 * @param tokenId a name that no other token of the issuer has
 */
public record TokenClaims(
    SpiffeId subject,
    SpiffeId issuer,
    String audience,
    Instant issuedAt,
    Instant expiresAt,
    String tokenId) {}
