/**
 * The requests that the unit has decided to serve. {@code RequestValidator} refuses invalid ones;
 * {@code WriteHandler}, {@code RepairHandler} and {@code TrimHandler} change the store; {@code
 * ReadHandler}, {@code StreamAnswers} and {@code StreamReads} read it.
 */
@NullMarked
package corfu.roles.logunit.request;

import org.jspecify.annotations.NullMarked;
