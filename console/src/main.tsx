import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Console } from './shell/console.tsx';
import './style/base.css';
import './style/frame.css';
import './style/palette.css';
import './style/table.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <Router base="/console">
        <Console />
      </Router>
    </CSPProvider>
  </StrictMode>,
);
