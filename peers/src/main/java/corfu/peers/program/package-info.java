/**
 * The programs of the compared systems: how each is found or built, and kept between runs.
 *
 * <p>Enter at {@link corfu.peers.program.ProgramCache}, which finds a system's {@code Program}.
 * {@code Jvm} makes the commands of Java programs, and {@code Jars} reads their versions. An {@code
 * AbsentException} says why a system cannot be measured.
 */
@NullMarked
package corfu.peers.program;

import org.jspecify.annotations.NullMarked;
