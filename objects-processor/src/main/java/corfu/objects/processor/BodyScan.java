package corfu.objects.processor;

import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import java.util.function.Consumer;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/** Reports code in a method whose result differs between calls or machines. */
final class BodyScan extends TreePathScanner<@Nullable Void, @Nullable Void> {

  private static final Set<String> UNORDERED = Set.of("java.util.HashMap", "java.util.HashSet");
  private static final Set<String> VIEWS = Set.of("keySet", "values", "entrySet");
  private static final Set<String> WALKS =
      Set.of("iterator", "forEach", "stream", "parallelStream", "toArray");

  private final Trees trees;
  private final Consumer<Element> calls;

  /**
   * @param calls receives each method that the scanned code calls
   */
  BodyScan(Trees trees, Consumer<Element> calls) {
    this.trees = trees;
    this.calls = calls;
  }

  @Override
  public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void unused) {
    look(tree);
    return super.visitIdentifier(tree, null);
  }

  @Override
  public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void unused) {
    look(tree);
    if (WALKS.contains(tree.getIdentifier().toString())) {
      lookAtOrder(new TreePath(getCurrentPath(), tree.getExpression()), tree);
    }
    return super.visitMemberSelect(tree, null);
  }

  @Override
  public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void unused) {
    look(tree);
    return super.visitMemberReference(tree, null);
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void unused) {
    look(tree);
    return super.visitNewClass(tree, null);
  }

  @Override
  public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void unused) {
    lookAtOrder(new TreePath(getCurrentPath(), tree.getExpression()), tree.getExpression());
    return super.visitEnhancedForLoop(tree, null);
  }

  private void look(Tree tree) {
    if (trees.getElement(getCurrentPath()) instanceof ExecutableElement called) {
      calls.accept(called);
      NondeterminismCheck.in(called)
          .ifPresent(
              what ->
                  report(
                      Diagnostic.Kind.ERROR,
                      what
                          + " in a mutator: it is carried out wherever the object is viewed, and"
                          + " this gives something else each time. Pass what it gives as an"
                          + " argument",
                      tree));
    }
  }

  private void lookAtOrder(TreePath walked, Tree at) {
    if (isUnordered(walked)) {
      report(
          Diagnostic.Kind.WARNING,
          "the order of a HashMap or HashSet in a mutator: it may be another one wherever the"
              + " object is viewed. Where it matters, take a LinkedHashMap, a TreeMap, or their"
              + " sets",
          at);
    }
  }

  private boolean isUnordered(TreePath path) {
    if (path.getLeaf() instanceof MethodInvocationTree call
        && call.getMethodSelect() instanceof MemberSelectTree select) {
      return VIEWS.contains(select.getIdentifier().toString())
          && isUnordered(
              new TreePath(new TreePath(path, select), withoutParentheses(select.getExpression())));
    }
    return isUnordered(trees.getTypeMirror(path)) || isMadeUnordered(path);
  }

  private static ExpressionTree withoutParentheses(ExpressionTree tree) {
    return tree instanceof ParenthesizedTree inner
        ? withoutParentheses(inner.getExpression())
        : tree;
  }

  private static boolean isUnordered(@Nullable TypeMirror type) {
    return type instanceof DeclaredType declared
        && declared.asElement() instanceof TypeElement element
        && UNORDERED.contains(element.getQualifiedName().toString());
  }

  /**
   * Returns whether a field or variable is declared as an interface, and initialized with one of
   * these classes.
   */
  private boolean isMadeUnordered(TreePath path) {
    @Nullable Element element = trees.getElement(path);
    @Nullable TreePath declared = element == null ? null : trees.getPath(element);
    if (declared != null
        && declared.getLeaf() instanceof VariableTree variable
        && variable.getInitializer() instanceof NewClassTree made) {
      return isUnordered(trees.getTypeMirror(new TreePath(declared, made)));
    }
    return false;
  }

  private void report(Diagnostic.Kind kind, String message, Tree at) {
    trees.printMessage(
        kind,
        message + " (if it does no harm: @SuppressWarnings(\"corfu\"))",
        at,
        getCurrentPath().getCompilationUnit());
  }
}
