package corfu.transport.tls;

import corfu.protocol.Identity;
import java.time.Instant;
import java.util.Optional;

/**
 * The present state of a process's TLS, for status and metrics. It has no secrets.
 *
 * @param mode whether connections are encrypted
 * @param engine the implementation and its version, for example {@code BoringSSL} or {@code JDK
 *     25.0.3}; {@code none} if the mode is off
 * @param identity the name that the own certificate proves; empty without a certificate
 * @param fingerprint the SHA-256 of the own certificate in hexadecimal digits; empty without one
 * @param notAfter the earliest end of the own certificate and its issuers in the chain; empty
 *     without a certificate
 * @param authoritiesNotAfter the earliest end of a trusted authority; empty if the mode is off
 * @param loads the number of times that the files were loaded, the first time included
 * @param problem the reason why changed files are not in use; empty if the newest files are
 */
public record TlsStatus(
    TlsMode mode,
    String engine,
    Optional<Identity> identity,
    Optional<String> fingerprint,
    Optional<Instant> notAfter,
    Optional<Instant> authoritiesNotAfter,
    long loads,
    Optional<String> problem) {}
