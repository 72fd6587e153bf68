/**
 * A certificate authority in a directory: certificates, revocation lists and their rotation. Enter
 * at {@link corfu.pki.CertificateAuthority}.
 */
@NullMarked
package corfu.pki;

import org.jspecify.annotations.NullMarked;
