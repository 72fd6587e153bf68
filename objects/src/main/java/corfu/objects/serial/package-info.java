/**
 * Values as bytes: arguments of updates and states of objects. A log is kept for years, while
 * classes change. So values are written with the names of their classes and fields. Reading a log
 * creates instances only of classes that somebody asked for.
 *
 * <p>Enter at {@link Serializer}; {@link StandardSerializer} is the default.
 */
@NullMarked
package corfu.objects.serial;

import org.jspecify.annotations.NullMarked;
