/** Short notes that appear, are read out, and go. */
interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

class Toasts {
  list = $state<Toast[]>([]);
  private count = 0;

  show(text: string, bad = false): void {
    const id = ++this.count;
    this.list = [...this.list.filter((toast) => toast.text !== text).slice(-2), { id, text, bad }];
    setTimeout(() => this.drop(id), bad ? 6000 : 3500);
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
