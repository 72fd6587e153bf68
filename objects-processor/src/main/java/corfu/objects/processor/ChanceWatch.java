package corfu.objects.processor;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import corfu.objects.rule.Verdict.Planned;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bodies of mutators, and of the methods of their own class that they call. It does so
 * once the compiler has resolved each name in them.
 *
 * <p>The check needs javac's own interfaces. Other compilers do not offer them; then no body is
 * checked.
 */
final class ChanceWatch implements TaskListener {

  private final Trees trees;

  /**
   * The signatures of each class's mutators, by the class's name. Symbols do not outlive a round.
   */
  private final Map<String, Set<String>> changes = new HashMap<>();

  private ChanceWatch(Trees trees) {
    this.trees = trees;
  }

  /** Returns empty if this compiler does not offer javac's interfaces. */
  static Optional<ChanceWatch> over(ProcessingEnvironment environment) {
    try {
      ChanceWatch watch = new ChanceWatch(Trees.instance(environment));
      JavacTask.instance(environment).addTaskListener(watch);
      return Optional.of(watch);
    } catch (IllegalArgumentException | LinkageError notJavac) {
      return Optional.empty();
    }
  }

  /** Has the class's mutators checked when the compiler has analyzed the class. */
  void watch(
      TypeElement type, Iterable<? extends Planned<ExecutableElement>> operations, Model model) {
    Set<String> signatures = new HashSet<>();
    for (Planned<ExecutableElement> each : operations) {
      if (each.kind().changes()) {
        signatures.add(signatureOf(each.method()));
      }
    }
    changes.put(type.getQualifiedName().toString(), signatures);
  }

  private static String signatureOf(ExecutableElement method) {
    return method.toString(); // its name and the types of its parameters
  }

  @Override
  public void finished(TaskEvent event) {
    @Nullable TypeElement type = event.getTypeElement();
    if (event.getKind() == TaskEvent.Kind.ANALYZE && type != null && !changes.isEmpty()) {
      @Nullable TreePath path = trees.getPath(type);
      if (path != null) {
        new ClassSearch().scan(path, null);
      }
    }
  }

  /** Finds the watched classes, nested ones included. */
  private final class ClassSearch extends TreePathScanner<@Nullable Void, @Nullable Void> {

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
      if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
        @Nullable Set<String> signatures = changes.remove(type.getQualifiedName().toString());
        if (signatures != null) {
          lookInto(getCurrentPath(), signatures);
        }
      }
      return super.visitClass(tree, null);
    }
  }

  private void lookInto(TreePath type, Set<String> signatures) {
    Map<Element, TreePath> methods = new LinkedHashMap<>();
    Deque<Element> open = new ArrayDeque<>();
    for (Tree member : ((ClassTree) type.getLeaf()).getMembers()) {
      if (member instanceof MethodTree method) {
        TreePath path = new TreePath(type, method);
        if (trees.getElement(path) instanceof ExecutableElement element) {
          methods.put(element, path);
          if (signatures.contains(signatureOf(element))) {
            open.add(element);
          }
        }
      }
    }
    Set<Element> seen = new HashSet<>(open);
    BodyScan scan =
        new BodyScan(
            trees,
            called -> {
              if (methods.containsKey(called) && seen.add(called)) {
                open.add(called);
              }
            });
    while (!open.isEmpty()) {
      Element method = open.remove();
      @Nullable TreePath path = methods.get(method);
      if (path != null && !Suppression.covers(method)) {
        scan.scan(path, null);
      }
    }
  }
}
