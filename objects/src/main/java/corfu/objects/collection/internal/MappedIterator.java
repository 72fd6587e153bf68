package corfu.objects.collection.internal;

import java.util.Iterator;
import java.util.function.Function;

/** An iterator over what a function makes of another one's elements. */
public record MappedIterator<A, B>(
    Iterator<? extends A> from, Function<? super A, ? extends B> function) implements Iterator<B> {

  @Override
  public boolean hasNext() {
    return from.hasNext();
  }

  @Override
  public B next() {
    return function.apply(from.next());
  }
}
