/**
 * The requests, once the unit has decided that it serves them. {@code RequestValidator} refuses
 * invalid ones; {@code Writes}, {@code Repairing} and {@code Trims} change the store; {@code
 * Answers}, {@code StreamAnswers} and {@code StreamPlay} read it.
 */
@NullMarked
package corfu.roles.logunit.request;

import org.jspecify.annotations.NullMarked;
