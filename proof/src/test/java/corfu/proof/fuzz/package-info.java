/**
 * Fuzz tests for every decoder of wire and disk formats. A {@link corfu.proof.fuzz.FuzzTarget}
 * defines the properties that must hold for any bytes; {@link corfu.proof.fuzz.FuzzTest} generates
 * the bytes, guided by coverage. Targets of decoders that are not public are in the decoders'
 * packages.
 */
@NullMarked
package corfu.proof.fuzz;

import org.jspecify.annotations.NullMarked;
