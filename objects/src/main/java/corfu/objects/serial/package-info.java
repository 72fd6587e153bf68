/**
 * Values as bytes: arguments of updates and states of objects. A log is kept for years, while
 * classes change, so values are written by the names of their classes and fields, and only classes
 * that somebody asked for are ever made of what a log says.
 *
 * <p>Enter at {@link Serializer}; {@link StandardSerializer} is the one that is used unless another
 * is named.
 */
@NullMarked
package corfu.objects.serial;

import org.jspecify.annotations.NullMarked;
