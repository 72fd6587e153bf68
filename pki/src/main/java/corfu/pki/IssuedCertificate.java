package corfu.pki;

import java.nio.file.Path;

/**
 * A certificate that an authority has issued.
 *
 * @param name its name among those of the authority
 * @param file the PEM file with the certificate, and behind it the private key (PKCS #8) unless the
 *     key has stayed with its owner
 * @param hasKey whether the file has the private key
 * @param isRevoked whether the authority has revoked it
 * @param info its public content
 */
public record IssuedCertificate(
    String name, Path file, boolean hasKey, boolean isRevoked, CertificateInfo info) {}
