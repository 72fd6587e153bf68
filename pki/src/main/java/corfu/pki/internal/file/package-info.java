/** Files of keys and certificates: atomic replacement, permissions, locks, and the PEM format. */
@NullMarked
package corfu.pki.internal.file;

import org.jspecify.annotations.NullMarked;
