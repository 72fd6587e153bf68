/**
 * Every decoder of wire and disk formats, given bytes that nobody has written. A {@link
 * corfu.proof.fuzz.FuzzTarget} says what must hold for any bytes; {@link corfu.proof.fuzz.FuzzTest}
 * has them made up, with coverage as the guide. Targets of decoders that are not public are in
 * their packages.
 */
@NullMarked
package corfu.proof.fuzz;

import org.jspecify.annotations.NullMarked;
