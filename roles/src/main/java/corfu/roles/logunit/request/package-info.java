/**
 * The requests that the unit has decided to serve. {@code RequestValidator} refuses invalid ones;
 * {@code Writes}, {@code Repairing} and {@code Trims} change the store; {@code Answers}, {@code
 * StreamAnswers} and {@code StreamPlay} read it.
 */
@NullMarked
package corfu.roles.logunit.request;

import org.jspecify.annotations.NullMarked;
