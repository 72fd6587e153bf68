/** Certificates, signing requests and revocation lists as values, without files. */
@NullMarked
package corfu.pki.internal.x509;

import org.jspecify.annotations.NullMarked;
