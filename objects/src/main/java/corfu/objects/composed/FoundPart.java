package corfu.objects.composed;

import corfu.objects.type.Operation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an operation that finds the part with a key. It reads the found part, and nothing
 * else. It reads the whole object if it finds no part.
 *
 * @param found returns the part that the operation's result names
 */
record FoundPart(Function<Object, Optional<?>> found) implements Operation.Keys {

  @Override
  public List<@Nullable Object> of(@Nullable Object[] arguments) {
    return List.of();
  }

  @Override
  public List<@Nullable Object> read(Operation.Made call) {
    return call.returned()
        .flatMap(found::apply)
        .map(part -> List.<@Nullable Object>of(part))
        .orElse(List.of());
  }
}
