package corfu.objects.collection.internal;

import corfu.objects.collection.FixedEntry;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** Goes through the entries of a trie: a node's own before those of the nodes below it. */
final class TrieIterator<K, V> implements Iterator<Map.Entry<K, V>> {

  private final ArrayDeque<TrieNode> waiting = new ArrayDeque<>();
  private TrieNode node;
  private int place;

  TrieIterator(TrieNode root) {
    this.node = root;
    expand();
  }

  private void expand() {
    for (int i = node.nodes() - 1; i >= 0; i--) {
      waiting.push(node.node(i));
    }
  }

  @Override
  public boolean hasNext() {
    while (place >= node.entries()) {
      if (waiting.isEmpty()) {
        return false;
      }
      node = waiting.pop();
      place = 0;
      expand();
    }
    return true;
  }

  @Override
  @SuppressWarnings("unchecked") // only what is of their types is put in
  public Map.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<K, V> entry = new FixedEntry<>((K) node.key(place), (V) node.value(place));
    place++;
    return entry;
  }
}
