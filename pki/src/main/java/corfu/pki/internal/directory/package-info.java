/** The files of a certificate authority's directory: what each holds, and who may read it. */
@NullMarked
package corfu.pki.internal.directory;

import org.jspecify.annotations.NullMarked;
